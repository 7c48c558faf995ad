// What "salus backup" and "salus restore" run: they work on the stores themselves.
await import('../src/backup.ts')
