import { type CommandResult, startSalus } from '../salus-command.ts'
import type { TestServer } from '../salus-process.ts'

export interface MachineFixture {
  server: TestServer
  /** For files of the tests. */
  folder: string
}

/** Runs a command against the server, with its data directory. */
export function onMachine({ server }: MachineFixture, ...args: string[]): Promise<CommandResult> {
  const environment = { SALUS_URL: server.url, SALUS_DATA_DIR: server.dataDirectory }
  return startSalus(args, environment).result
}

/** Takes the code that `salus console` printed to the server. */
export async function signInWithCode({ server }: MachineFixture, code: string) {
  const answer = await fetch(`${server.url}/v1/console/session`, {
    method: 'POST',
    headers: { 'x-salus-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { is_operator?: boolean },
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  }
}

/** The code in the address that `salus console` printed. */
export const codeIn = (address: string): string =>
  new URL(address.trim()).hash.replace('#code=', '')
