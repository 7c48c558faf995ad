import module from 'node:module'

// What "salus key recover" runs: unlike other commands it works on the database itself. The data
// directory may be given as an argument.
module.enableCompileCache?.()
await import('../src/commands/recover-keys.ts')
