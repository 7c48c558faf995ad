import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { readConnection } from '../connection/config.ts'
import { CliError } from '../terminal/cli-error.ts'

const HELP = `
The file is a response of GET /v2/erasure/{erasure_id}, or only its receipt.
With --keys no server is involved: save GET /receipt_keys beside your receipts,
and not on the server. It exits with 1 when the receipt does not match its
signature.

Examples:
  $ salus receipt verify erasure.json
  $ salus receipt verify erasure.json --keys receipt-keys.json`

/** Response of GET /receipt_keys. */
interface ReceiptKeys {
  keys: { id: string; public_key: string }[]
}

/** Fields of a receipt that are printed. */
interface Statement {
  user_id: string
  erased_at: string
  removed: Record<string, Record<string, number>>
  /** Absent in receipts of version 1, which do not list the search. */
  remaining?: { store: string; table: string; rows: number }[]
}

export function addReceiptCommands(program: Command): void {
  program
    .command('receipt')
    .description('receipts of erasures')
    .command('verify')
    .description('check the signature of a receipt, and print its content')
    .argument('<file>', 'the receipt, or the erasure that contains it')
    .option('--keys <file>', 'file of public keys; default: those of the server')
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
    // Reported below, like a server with another response.
  }
  throw new CliError(`${url} does not return its keys. Name a file of them with --keys.`)
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
    throw new CliError('A file does not contain the expected JSON.')
  }
}

function findReceipt(text: string): string {
  if (!text.startsWith('{')) return text
  const { receipt } = parse<{ receipt?: string | null }>(text)
  if (typeof receipt === 'string') return receipt
  throw new CliError('The file contains no receipt: is the erasure completed?')
}

/** @throws CliError when the signature does not match any of the keys */
function verifyReceipt(receipt: string, { keys }: ReceiptKeys): Statement {
  const [header = '', payload = '', signature = ''] = receipt.split('.')
  const { alg, kid } = parse<{ alg?: string; kid?: string }>(decode(header).toString('utf8'))
  const key = keys.find(({ id }) => id === kid)
  if (alg !== 'EdDSA' || key === undefined) {
    throw new CliError('The receipt names a key that is not in the file or on the server.')
  }
  const signed = Buffer.from(`${header}.${payload}`)
  if (!verify(null, signed, createPublicKey(key.public_key), decode(signature))) {
    throw new CliError('The receipt does not match its signature.')
  }
  return parse<Statement>(decode(payload).toString('utf8'))
}

const decode = (part: string): Buffer => Buffer.from(part, 'base64url')

function print({ user_id, erased_at, removed, remaining = [] }: Statement): void {
  console.log(`The signature is valid: ${user_id} was erased at ${erased_at}.`)
  for (const [store, counts] of Object.entries(removed)) {
    for (const [name, count] of Object.entries(counts)) {
      console.log(`  ${store}  ${name}  ${count.toLocaleString('en-US')}`)
    }
  }
  for (const { store, table, rows } of remaining) {
    console.log(`Other findings to check: ${store}  ${table}  ${rows}`)
  }
}
