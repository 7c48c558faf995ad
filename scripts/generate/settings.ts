import { SETTINGS } from '../../packages/server/src/settings.registry.ts'
import { code, generatedNotice, joinParts, markdownTable } from './markdown.ts'

/**
 * Generates docs/settings.md: every setting of the server, in the order of the table in the code.
 */
export function describeSettings(): string {
  const rows = Object.values(SETTINGS).map(({ name, meaning, shownDefault }) => [
    code(name),
    shownDefault === '' ? '–' : code(shownDefault),
    meaning,
  ])
  return joinParts(
    generatedNotice('packages/server/src/settings.registry.ts'),
    '# Settings',
    'Settings are environment variables. All are optional: by default Salus runs on this machine alone, with embedded databases in the data directory. A wrong value stops the start with one line that names the setting and the accepted values. An empty value counts as unset.',
    markdownTable(['Setting', 'Default', 'Meaning'], rows),
  )
}
