import module from 'node:module'

// What "salus secrets rotate" runs: unlike other commands it works on the database itself.
module.enableCompileCache?.()
await import('../src/commands/rotate-secrets.ts')
