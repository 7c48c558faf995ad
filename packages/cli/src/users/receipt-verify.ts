import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'

const HELP = `
The file is an answer of GET /v2/erasure/{erasure_id}, or the receipt by itself.
With --keys nobody is asked: save GET /receipt_keys somewhere else than on the
server, beside your receipts. It ends with 1 when the receipt is not what was
signed.

Examples:
  $ salus receipt verify erasure.json
  $ salus receipt verify erasure.json --keys receipt-keys.json`

/** As GET /receipt_keys answers. */
interface ReceiptKeys {
  keys: { id: string; public_key: string }[]
}

/** What receipts say, as far as it is printed. */
interface Statement {
  user_id: string
  erased_at: string
  removed: Record<string, Record<string, number>>
  /** Absent in receipts of version 1, which do not say what was searched. */
  remaining?: { store: string; table: string; rows: number }[]
}

export function addReceiptCommands(program: Command): void {
  program
    .command('receipt')
    .description('receipts of erasures')
    .command('verify')
    .description('check the signature of a receipt, and say what it tells')
    .argument('<file>', 'the receipt, or the erasure with it')
    .option('--keys <file>', 'public keys, in place of those that the server tells')
    .addHelpText('after', HELP)
    .action(async (file: string, { keys }: { keys?: string }, command: Command) => {
      const known = keys === undefined ? await askForKeys(command) : parse<ReceiptKeys>(read(keys))
      print(verifyReceipt(findReceipt(read(file)), known))
    })
}

async function askForKeys(command: Command): Promise<ReceiptKeys> {
  const { url } = readConnection(command)
  try {
    const answer = await fetch(new URL('receipt_keys', `${url.replace(/\/+$/, '')}/`))
    if (answer.ok) return (await answer.json()) as ReceiptKeys
  } catch {
    // Said below, as of a server that answers something else.
  }
  throw new CliError(`${url} does not tell its keys. Name a file of them with --keys.`)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    throw new CliError(`${path} cannot be read.`)
  }
}

function parse<T>(text: string): T {
  try {
    return JSON.parse(text)
  } catch {
    throw new CliError('A file is not the JSON that it should be.')
  }
}

function findReceipt(text: string): string {
  if (!text.startsWith('{')) return text
  const { receipt } = parse<{ receipt?: string | null }>(text)
  if (typeof receipt === 'string') return receipt
  throw new CliError('There is no receipt in the file: is the erasure completed?')
}

/** @throws CliError when it was not signed by any of the keys as it is */
function verifyReceipt(receipt: string, { keys }: ReceiptKeys): Statement {
  const [header = '', payload = '', signature = ''] = receipt.split('.')
  const { alg, kid } = parse<{ alg?: string; kid?: string }>(decode(header).toString('utf8'))
  const key = keys.find(({ id }) => id === kid)
  if (alg !== 'EdDSA' || key === undefined) {
    throw new CliError('The receipt names a key that is not among those given.')
  }
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, createPublicKey(key.public_key), decode(signature))) {
    throw new CliError('The receipt is not what was signed.')
  }
  return parse<Statement>(decode(payload).toString('utf8'))
}

const decode = (part: string): Buffer => Buffer.from(part, 'base64url')

function print({ user_id, erased_at, removed, remaining = [] }: Statement): void {
  console.log(`The receipt is as it was signed: ${user_id} was erased at ${erased_at}.`)
  for (const [store, counts] of Object.entries(removed)) {
    for (const [name, count] of Object.entries(counts)) {
      console.log(`  ${store}  ${name}  ${count.toLocaleString('en-US')}`)
    }
  }
  for (const { store, table, rows } of remaining) {
    console.log(`Found besides, and to be looked at: ${store}  ${table}  ${rows}`)
  }
}
