import module from 'node:module'

// What "salus user" runs: it works on the database itself. Its arguments are the data directory, the
// action, the e-mail address, and where it is given the address of the server.
module.enableCompileCache?.()
await import('../src/commands/console-user.ts')
