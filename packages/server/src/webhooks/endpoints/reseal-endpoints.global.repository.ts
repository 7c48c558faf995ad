import { resealColumn } from '@salus/kernel/crypto/reseal'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import { contextOf } from './signing-secret.ts'

/** Seals secrets and headers of all endpoints with the present key. @returns how many texts */
export async function resealEndpoints(db: Db, secrets: SecretBox): Promise<number> {
  const column = (name: 'secret' | 'headers') => ({
    table: 'webhook_endpoints',
    column: name,
    key: ['id'],
    contextOf: ({ id = '' }) => contextOf(id, name),
  })
  const present =
    (await resealColumn(db, secrets, column('secret'))) +
    (await resealColumn(db, secrets, column('headers')))
  return present + (await resealFormerSecrets(db, secrets))
}

/** Reseals former secrets that still sign for a while, which are in a list. */
async function resealFormerSecrets(db: Db, secrets: SecretBox): Promise<number> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'former_secrets'])
    .where(sql<boolean>`former_secrets <> '[]'`)
    .execute()
  let resealed = 0
  for (const { id, former_secrets: former } of rows) {
    const context = contextOf(id, 'secret')
    const isFormer = (text: Buffer) => !text.subarray(0, secrets.keyId.length).equals(secrets.keyId)
    const next = former.map((entry) => {
      const text = Buffer.from(entry.secret, 'base64')
      if (!isFormer(text)) return entry
      resealed += 1
      const sealed = secrets.seal(secrets.open(text, context), context)
      return { ...entry, secret: sealed.toString('base64') }
    })
    await sql`update webhook_endpoints set former_secrets = ${JSON.stringify(next)}::jsonb
      where id = ${id} and former_secrets = ${JSON.stringify(former)}::jsonb`.execute(db)
  }
  return resealed
}
