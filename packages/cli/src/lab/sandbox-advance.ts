import { Argument, type Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { formatCount } from '../terminal/number-format.ts'
import { parseDuration } from '../terminal/option-values.ts'

interface Advance {
  now: string
  offset_seconds: number
  steps: number
}

export function addSandboxAdvanceCommand(parent: Command): void {
  parent
    .command('advance')
    .description('move the time of the sandbox forward; everything that is due happens at once')
    .addArgument(
      new Argument('<duration>', 'how far, such as 3d, 90m or 1d12h').argParser(parseDuration),
    )
    .option('--json', 'print the response of the server')
    .action(async (seconds: number, { json }: { json?: boolean }, command: Command) => {
      const options = { body: { seconds } }
      const path = '/v3/sandbox/advance'
      const answer = await callApi<Advance>(readConnection(command), 'POST', path, options)
      if (json) return console.log(JSON.stringify(answer, null, 2))
      const { now, steps } = answer
      const happened = steps === 1 ? '1 step' : `${formatCount(steps)} steps`
      console.log(`The time of the sandbox is now ${now}; its orders took ${happened}.`)
    })
}
