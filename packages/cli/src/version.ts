import { readFileSync } from 'node:fs'

/** Version of the command line, which is that of its server. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version
