import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { UnreachableError } from '../connection/api-errors.ts'
import { readConnection } from '../connection/config.ts'
import { formatTable } from '../terminal/table.ts'
import { askProgram } from './dry-run.ts'
import { flagOf } from './import-options.ts'

interface FormatList {
  formats: {
    slug: string
    title: string
    how_to_export: string
    options: string[]
    notes: string[]
  }[]
}

export function addImportFormatsCommand(imports: Command): void {
  imports
    .command('formats')
    .description('list the files that can be imported; without a server, those of this Salus')
    .argument('[format]', 'format of which everything is printed')
    .option('--json', 'print the list as JSON')
    .action(async (slug: string | undefined, { json }: { json?: boolean }, self: Command) => {
      const list = await findFormats(self)
      if (list === undefined) return
      const one = list.formats.find((format) => format.slug === slug)
      if (slug !== undefined && one === undefined) self.error(`error: there is no format ${slug}`)
      if (json) console.log(JSON.stringify(one ?? list, null, 2))
      else if (one === undefined) console.log(formatList(list))
      else console.log(formatOne(one))
    })
}

/** The list of the server counts, which may have another version. */
async function findFormats(command: Command): Promise<FormatList | undefined> {
  const connection = readConnection(command)
  if (connection.apiKey !== undefined) {
    try {
      return await callApi<FormatList>(connection, 'GET', '/v2/import/formats')
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error
    }
  }
  return askProgram<FormatList>(command, { action: 'formats' })
}

const formatList = ({ formats }: FormatList): string =>
  formatTable(
    [
      { title: 'Format', text: ({ slug }) => slug },
      { title: 'File', text: ({ title }) => title },
      { title: 'Options', text: ({ options }) => options.map(flagOf).join(' ') },
    ],
    formats,
  )

function formatOne({ title, slug, how_to_export, options, notes }: FormatList['formats'][number]) {
  const flags = options.length === 0 ? [] : [`Options: ${options.map(flagOf).join(' ')}`]
  return [`${title} (${slug})`, how_to_export, ...flags, ...notes.map((note) => `- ${note}`)].join(
    '\n',
  )
}
