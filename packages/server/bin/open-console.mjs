// What "salus console" runs: it works on the database itself. The data directory and the address of the server
// may be given as arguments.
await import('../src/open-console.ts')
