import module from 'node:module'

// What "salus audit" runs: unlike other commands it works on the database itself.
module.enableCompileCache?.()
await import('../src/commands/audit.ts')
