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
 * To ask for the erasure of a person, and what became of erasures. The public keys of receipts have a route of
 * their own, without a key.
 */
export function registerErasureRoutes(app: App, { userParts }: { userParts: UserParts }): void {
  app.post(
    '/v2/user/:user_id/erasure',
    {
      schema: {
        tags,
        summary: 'Erase a person',
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
        tags,
        summary: 'Show what an erasure would remove',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: ErasureDryRun },
      },
    },
    ({ scope, params: { user_id: id } }) => tryErasure(scope, id),
  )
  app.get(
    '/v2/erasure',
    {
      schema: {
        tags,
        summary: 'List erasures, newest first',
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
        tags,
        summary: 'Read an erasure and its receipt',
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
        tags,
        summary: 'Public keys of receipts',
        security: [],
        response: { 200: ReceiptKeyList },
      },
    },
    () => showReceiptKeys(db),
  )
}
