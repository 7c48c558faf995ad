import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { EmulatedVendors } from '../../../test/emulated-vendors.ts'

const KEY = Buffer.from('key-of-a-sandbox')

let vendors: EmulatedVendors

beforeEach(async () => {
  await vendors?.emulator.close()
  vendors = new EmulatedVendors()
})
after(() => vendors.emulator.close())

function encrypt(content: unknown): { encryptData: string } {
  const cipher = createCipheriv('aes-128-ecb', KEY, null)
  const text = content === undefined ? '' : JSON.stringify(content)
  return { encryptData: Buffer.concat([cipher.update(text), cipher.final()]).toString('base64') }
}

/** The text, because ids are too long for numbers. */
function decrypt(data: string): string {
  const decipher = createDecipheriv('aes-128-ecb', KEY, null)
  return Buffer.concat([decipher.update(data, 'base64'), decipher.final()]).toString()
}

const post = (path: string, content: unknown, headers = {}) =>
  vendors.call('POST', `renpho/api/${path}`, { json: encrypt(content), headers })

async function signIn(email = 'mia', password = 'correct') {
  const { body } = await post('renpho-aggregation/user/login', { login: { email, password } })
  const { login } = JSON.parse(decrypt(body.data))
  return { token: login.token, userid: vendors.emulator.accountIdOf('renpho', email) }
}

const COUNT = 'renpho-aggregation/device/count'
const ALL = 'RenphoHealth/scale/queryAllMeasureDataList'

test('a wrong password, and another key, are refused with status 200', async () => {
  const login = { email: 'mia', password: 'wrong' }
  const { status, body } = await post('renpho-aggregation/user/login', { login })
  assert.deepEqual([status, body.code], [200, 50010])
  const plain = await vendors.call('POST', 'renpho/api/renpho-aggregation/user/login', {
    json: { encryptData: Buffer.from('{}').toString('base64') },
  })
  assert.equal(plain.body.code, 50002)
})

test('a sign-in ends the session before', async () => {
  const first = await signIn()
  assert.equal((await post(COUNT, undefined, first)).body.code, 101)
  const second = await signIn()
  assert.equal((await post(COUNT, undefined, first)).body.code, 40101)
  assert.equal((await post(COUNT, undefined, second)).body.code, 101)
  await vendors.emulator.revoke('renpho', 'mia')
  assert.equal((await post(COUNT, undefined, second)).body.code, 40101)
})

test('records have ids of 19 digits, and need the right table and person', async () => {
  const session = await signIn()
  const { body } = await post(COUNT, undefined, session)
  const tables = decrypt(body.data)
  const ids = [...tables.matchAll(/\d{19}/g)].map(([id]) => id)
  assert.ok(ids.includes(session.userid))
  const { tableName, count } = JSON.parse(tables).scale[0]
  assert.equal(count, 0)
  const list = async (userIds: string[], pageNum = 1) => {
    const wanted = { pageNum, pageSize: 50, userIds, tableName }
    const answer = await post(ALL, wanted, session)
    return decrypt(answer.body.data)
  }
  const first = await list([session.userid])
  assert.equal(JSON.parse(first).length, 50)
  assert.match(first, new RegExp(`"userId":${session.userid},`))
  // A rounded id is that of another person.
  assert.equal(await list([String(Number(session.userid))]), '[]')
  let pages = 1
  while (JSON.parse(await list([session.userid], pages)).length === 50) pages++
  assert.ok(pages > 5 && pages < 10)
})
