import module from 'node:module'

// What "salus move" runs, while the server is stopped. The data directory and what to move are its
// arguments.
module.enableCompileCache?.()
await import('../src/commands/move.ts')
