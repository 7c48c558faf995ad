import { readFileSync } from 'node:fs'

/** Of the command line, which is that of the server it comes with. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).version
