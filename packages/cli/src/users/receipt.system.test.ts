import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startSalus } from '../testing/salus-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'salus-receipt-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const STATEMENT = {
  user_id: '5f0c0d6e-8a51-4c3b-9d27-000000000003',
  erased_at: '2026-03-01T12:00:00Z',
  removed: { clickhouse: { samples: 2_600_000 }, files: { lab_results: 2 } },
}

function makeReceipt(statement: object): string {
  const signed = [{ alg: 'EdDSA', kid: 'one' }, statement]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`
}

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

const keys = write(
  'keys.json',
  JSON.stringify({
    keys: [{ id: 'one', public_key: publicKey.export({ type: 'spki', format: 'pem' }) }],
  }),
)
const verifyFile = (content: string) =>
  startSalus(['receipt', 'verify', write('receipt', content), '--keys', keys], {}).result

test('a receipt is verified with keys of a file, by itself and within its erasure', async () => {
  const receipt = makeReceipt(STATEMENT)
  for (const content of [receipt, JSON.stringify({ id: 'x', receipt })]) {
    const { code, stdout } = await verifyFile(content)
    assert.equal(code, 0)
    assert.match(stdout, /The signature is valid/)
    assert.match(stdout, /clickhouse {2}samples {2}2,600,000/)
  }
})

test('a changed receipt, or one with an unknown key, is explained in one line', async () => {
  const [header, , signature] = makeReceipt(STATEMENT).split('.')
  const changed = Buffer.from(JSON.stringify({ ...STATEMENT, removed: {} })).toString('base64url')
  const foreign = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'two' })).toString('base64url')
  for (const [content, line] of [
    [`${header}.${changed}.${signature}`, /does not match its signature/],
    [`${foreign}.${changed}.${signature}`, /names a key that is not/],
    ['nothing of the kind', /the expected JSON/],
    [JSON.stringify({ receipt: null }), /contains no receipt/],
  ] as const) {
    const { code, stderr } = await verifyFile(content)
    assert.equal(code, 1)
    assert.match(stderr, line)
    assert.equal(stderr.trim().split('\n').length, 1)
  }
})
