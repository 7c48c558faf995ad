// What "salus audit" runs: unlike other commands it works on the database itself.
await import('../src/audit.ts')
