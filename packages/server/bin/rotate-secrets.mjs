// What "salus secrets rotate" runs: unlike other commands it works on the database itself.
await import('../src/rotate-secrets.ts')
