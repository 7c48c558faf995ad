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
 * Registers requests for erasures, and their state. The public keys of receipts have a route of
 * their own, without a key.
 */
export function registerErasureRoutes(app: App, { userParts }: { userParts: UserParts }): void {
  app.post(
    '/v2/user/:user_id/erasure',
    {
      schema: {
        operationId: 'erasePerson',
        tags,
        summary: 'Erase a user',
        description:
          'Erases a user. Readers no longer see the user at once, and the erasure begins after two minutes. It cannot be undone.',
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
        summary: 'Preview an erasure',
        description:
          'Counts the rows and files that an erasure would remove now, and lists what would be kept. Nothing is changed.',
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
        description:
          'Returns erasures, including those of users whose delete could no longer be undone.',
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
        summary: 'Get an erasure and its receipt',
        description:
          'Returns the erasure. Once it is completed, it contains the signed receipt, which lists what was removed from which store.',
        params: Type.Object({ erasure_id: Uuid }),
        response: { 200: Erasure },
      },
    },
    ({ scope, params: { erasure_id: id } }) => getErasure(scope, id),
  )
}

/** Registers the public keys without authentication, because anyone may verify a receipt. */
export function registerReceiptKeyRoute(app: App, { db }: { db: Db }): void {
  app.get(
    '/receipt_keys',
    {
      schema: {
        operationId: 'listReceiptKeys',
        tags,
        summary: 'List the public keys of receipts',
        description:
          'Returns the keys with which a receipt can be verified at any time, without Salus.',
        security: [],
        response: { 200: ReceiptKeyList },
      },
    },
    () => showReceiptKeys(db),
  )
}
