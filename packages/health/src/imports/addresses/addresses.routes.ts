import { Readable } from 'node:stream'
import { Success, Uuid } from '@salus/contracts/schema-types'
import { badRequest, notFound, unauthorized } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { Stores } from '@salus/kernel/scope'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import {
  ImportAddressCreate,
  ImportAddressList,
  ImportPosting,
  NewImportAddress,
} from './addresses.schema.ts'
import {
  createAddress,
  deleteAddress,
  listAddresses,
  openAddress,
  POSTING_PATH,
  receivePosting,
} from './addresses.service.ts'

const tags = ['Imports']
const PATH = '/v2/user/:user_id/import_addresses'
const ByUserId = Type.Object({ user_id: Uuid })

/** Routes by which a team makes and revokes addresses for apps of its users. */
export function registerAddressRoutes(app: App, config: { baseUrl: string | undefined }): void {
  app.post(
    PATH,
    {
      schema: {
        operationId: 'createImportAddress',
        tags,
        summary: 'Create an address for an app',
        description:
          'Creates an address to which the app Health Auto Export posts the data of the user. Paste `url` into an automation of the app, of the type REST API with the format JSON. It is shown only once, and is valid until it is revoked.',
        params: ByUserId,
        body: ImportAddressCreate,
        'x-body-example': { label: 'Phone' },
        response: { 200: NewImportAddress },
      },
    },
    (request) => {
      const baseUrl = baseUrlOf(request, config.baseUrl)
      const { label } = request.body
      return createAddress(request.scope, request.params.user_id, { label, baseUrl })
    },
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'listImportAddresses',
        tags,
        summary: 'List the addresses for apps',
        description: 'Returns the addresses of the user without their secrets, newest first.',
        params: ByUserId,
        response: { 200: ImportAddressList },
      },
    },
    (request) => listAddresses(request.scope, request.params.user_id),
  )

  app.delete(
    `${PATH}/:address_id`,
    {
      schema: {
        operationId: 'deleteImportAddress',
        tags,
        summary: 'Revoke an address for an app',
        description: 'Revokes an address at once. What was posted before stays.',
        params: Type.Object({ user_id: Uuid, address_id: Uuid }),
        response: { 200: Success },
      },
    },
    ({ scope, params }) => deleteAddress(scope, params.user_id, params.address_id),
  )
}

interface PostingOptions extends Stores {
  files: FileStore
  config: { importMaxBytes: number; baseUrl: string | undefined }
}

/**
 * The route of postings, whose credential is the address itself. It has a context of its own, in
 * which no JSON body is parsed: bodies have any size.
 */
export async function registerPostingRoute(app: App, options: PostingOptions): Promise<void> {
  const { config, files } = options
  await app.register(async (postings: App) => {
    postings.removeAllContentTypeParsers()
    postings.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    postings.addHook('onRequest', (request) => enter(request, options))
    postings.post(
      `${POSTING_PATH}/:address_secret`,
      {
        bodyLimit: config.importMaxBytes,
        schema: {
          operationId: 'postHealthAutoExport',
          tags,
          summary: 'Post data of the app Health Auto Export',
          description:
            'Stores the JSON that the app posts and imports it in the background. The address is the credential. Postings that overlap change nothing.',
          security: [],
          'x-file-types': ['application/json'],
          params: Type.Object({ address_secret: Type.String({ maxLength: 100 }) }),
          response: { 202: ImportPosting },
        },
      },
      async (request, reply) => {
        const { body, scope, actor } = request
        if (!(body instanceof Readable)) throw badRequest('empty_file', 'The request has no file.')
        const userId = actor?.kind === 'import_address' ? actor.userId : undefined
        if (!userId) throw notFound('Address')
        const baseUrl = baseUrlOf(request, config.baseUrl)
        const port = { files, maxBytes: config.importMaxBytes, baseUrl }
        const header = request.headers['automation-aggregation']
        const posting = await receivePosting({ scope, userId }, port, body, header)
        return reply.code(202).send(posting)
      },
    )
  })
}

/** Finds the user of the address, before the body is read and requests are limited. */
async function enter(request: FastifyRequest, stores: Stores): Promise<void> {
  const { address_secret: secret } = request.params as { address_secret: string }
  const address = await openAddress(stores, secret)
  if (address === undefined) {
    await request.signIns.refuse('import_address')
    throw unauthorized('invalid_token', 'The address is unknown or was revoked.')
  }
  request.actor = { kind: 'import_address', id: address.id, userId: address.userId }
  request.scope = address.scope
}
