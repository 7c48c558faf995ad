import type { Command } from 'commander'
import { runServerProgram } from '../operation/server-program.ts'

const HELP = `
Examples:
  $ salus providers map oura --list
  $ salus providers map oura --collection sleep night.json
  $ curl … | salus providers map oura --collection heartrate -

Works without a server, and stores nothing. A payload is an answer of the
collection, or a message of the vendor with its data. The context is a JSON
object with what a pull also knows: "details" (answers to further requests, in
their order), "range" ({"from", "to"}) and "cursor".`

interface Options {
  collection?: string
  context?: string
  list?: boolean
}

export function addProvidersMapCommand(providers: Command): void {
  providers
    .command('map')
    .description('print what a payload of a provider becomes, a JSON object a line')
    .argument('<provider>', 'slug, such as oura')
    .argument('[payload]', 'JSON file; - is stdin')
    .option('--collection <name>', 'collection of which the payload is an answer')
    .option('--context <file>', 'JSON file with details, range, cursor and extra')
    .option('--list', 'print the collections of the provider with their resources')
    .addHelpText('after', HELP)
    .action(
      async (slug: string, payload: string | undefined, options: Options, command: Command) => {
        const { collection = '', context = '', list = false } = options
        if (list && payload !== undefined) command.error('error: --list takes no payload')
        if (!list && (collection === '' || payload === undefined)) {
          command.error('error: name a payload and its --collection, or use --list')
        }
        const values = list ? [slug] : [slug, collection, context, payload ?? '']
        await runServerProgram(command, 'map-payload.mjs', values, { needsDirectory: false })
      },
    )
}
