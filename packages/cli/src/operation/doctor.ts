import { styleText } from 'node:util'
import type { Command } from 'commander'
import { type Connection, readConnection } from '../connection/config.ts'
import { type Finding, findProblems } from './health-checks.ts'
import { runServerProgram } from './server-program.ts'

export function addDoctorCommand(parent: Command): void {
  parent
    .command('doctor')
    .description('check the server, its stores, the keys and this machine')
    .option(
      '--before-upgrade',
      'instead check whether this version starts with the settings and the database of the one that runs (on the machine of the server)',
    )
    .action((options: { beforeUpgrade?: boolean }, command: Command) =>
      options.beforeUpgrade
        ? runServerProgram(command, 'check-upgrade.mjs', [], { makesDirectory: true })
        : runHealthChecks(readConnection(command)),
    )
}

const SYMBOLS = {
  ok: { text: 'ok     ', color: 'green' },
  problem: { text: 'PROBLEM', color: 'red' },
  skipped: { text: 'skipped', color: 'yellow' },
} as const

async function runHealthChecks(connection: Connection): Promise<void> {
  let problems = 0
  for await (const finding of findProblems(connection)) {
    if (finding.state === 'problem') problems++
    print(finding)
  }
  if (problems === 0) return console.log('\nEverything works.')
  console.log(`\n${problems} ${problems === 1 ? 'problem' : 'problems'}.`)
  process.exitCode = 1
}

function print({ state, what, advice }: Finding): void {
  const { text, color } = SYMBOLS[state]
  console.log(`${styleText(color, text)}  ${what}`)
  if (advice !== undefined) console.log(`         → ${advice}`)
}
