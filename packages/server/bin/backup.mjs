import module from 'node:module'

// What "salus backup" and "salus restore" run: they work on the stores themselves.
module.enableCompileCache?.()
await import('../src/commands/backup.ts')
