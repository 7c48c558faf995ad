// What "salus move" runs, while the server is stopped. The data directory and what to move are its arguments.
await import('../src/move.ts')
