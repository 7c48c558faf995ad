import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { refusalOf } from '../../connectors/index.ts'
import type { LinkContext } from '../link.context.ts'
import { connectDemo } from './demo.service.ts'
import { DEMO_PROVIDERS } from './demo-data.ts'

/** docs/contract/03-link.md#post-v2linkconnectdemo */
export function registerDemoRoute(app: App, context: LinkContext): void {
  app.post(
    '/v2/link/connect/demo',
    {
      schema: {
        operationId: 'connectDemo',
        tags: ['Sandbox'],
        summary: 'Connect a user to demo data',
        description: 'Creates a demo connection. Demo connections exist only in the sandbox.',
        body: Type.Object(
          { user_id: Uuid, provider: TextEnum(DEMO_PROVIDERS) },
          { title: 'DemoConnection' },
        ),
        response: {
          200: Type.Object(
            {
              success: Type.Boolean(),
              detail: Type.String({
                description: 'Outcome of the request, with the reason for a failure.',
              }),
            },
            { title: 'DemoConnectionResult' },
          ),
        },
      },
    },
    async (request) => {
      const { user_id: userId, provider } = request.body
      const baseUrl = baseUrlOf(request, context.config.baseUrl)
      const { success, detail } = await connectDemo(request.scope, userId, provider, baseUrl)
      const reason = refusalOf(provider, context.connectors.find(provider), { kind: 'production' })
      if (!success || reason === undefined) return { success, detail }
      return { success, detail: `${detail} Production cannot connect the provider: ${reason}` }
    },
  )
}
