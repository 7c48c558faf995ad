import module from 'node:module'

// What "salus console" runs: it works on the database itself. The data directory and the address of
// the server may be given as arguments.
module.enableCompileCache?.()
await import('../src/commands/open-console.ts')
