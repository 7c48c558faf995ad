import type { UserParts } from '@salus/accounts/users'
import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import type { Db } from '@salus/kernel/postgres/database'
import Type from 'typebox'
import {
  Erasure,
  ErasureDryRun,
  ErasureList,
  ErasureQuery,
  ReceiptKeyList,
} from './erasure.schema.ts'
import { getErasure, listErasures, requestErasure, tryErasure } from './erasure.service.ts'
import { showReceiptKeys } from './receipt-keys.ts'

const tags = ['Data rights']

/**
 * To ask for the erasure of a person, and what became of erasures. The public keys of receipts have
 * a route of their own, without a key.
 */
export function registerErasureRoutes(app: App, { userParts }: { userParts: UserParts }): void {
  app.post(
    '/v2/user/:user_id/erasure',
    {
      schema: {
        operationId: 'erasePerson',
        tags,
        summary: 'Erase a person',
        description:
          'The person is gone for readers at once and erased in two minutes. Nothing brings them back.',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: Erasure },
      },
    },
    ({ scope, params: { user_id: id } }) => requestErasure(scope, userParts, id),
  )
  app.post(
    '/v2/user/:user_id/erasure/dry_run',
    {
      config: { isRead: true },
      schema: {
        operationId: 'tryErasure',
        tags,
        summary: 'Show what an erasure would remove',
        description:
          'Counts what an erasure would remove now, and shows what would stay. Nothing is changed.',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: ErasureDryRun },
      },
    },
    ({ scope, params: { user_id: id } }) => tryErasure(scope, id),
  )
  registerErasureReads(app)
}

function registerErasureReads(app: App): void {
  app.get(
    '/v2/erasure',
    {
      schema: {
        operationId: 'listErasures',
        tags,
        summary: 'List erasures, newest first',
        description: 'Also those of people whose week after a delete was over.',
        querystring: ErasureQuery,
        response: { 200: ErasureList },
      },
    },
    ({ scope, query }) => listErasures(scope, query.next_cursor),
  )
  app.get(
    '/v2/erasure/:erasure_id',
    {
      schema: {
        operationId: 'getErasure',
        tags,
        summary: 'Read an erasure and its receipt',
        description: 'Once it is completed, with the signed receipt of what was removed where.',
        params: Type.Object({ erasure_id: Uuid }),
        response: { 200: Erasure },
      },
    },
    ({ scope, params: { erasure_id: id } }) => getErasure(scope, id),
  )
}

/** Everybody may verify a receipt: no key is asked for. */
export function registerReceiptKeyRoute(app: App, { db }: { db: Db }): void {
  app.get(
    '/receipt_keys',
    {
      schema: {
        operationId: 'listReceiptKeys',
        tags,
        summary: 'Public keys of receipts',
        description: 'Whoever has a receipt verifies it with these, at any time and without Salus.',
        security: [],
        response: { 200: ReceiptKeyList },
      },
    },
    () => showReceiptKeys(db),
  )
}
