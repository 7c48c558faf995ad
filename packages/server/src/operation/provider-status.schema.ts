import { DateTime, Nullable, TextEnum } from '@salus/contracts/schema-types'
import { ENVIRONMENTS } from '@salus/kernel/scope'
import Type from 'typebox'

/** Requests to the providers, and their budgets (docs/contract/01-conventions.md#operation). */

export const ProviderStatusList = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        provider: Type.String(),
        provider_name: Type.String({
          description: 'Display name of the provider.',
          examples: ['Oura'],
        }),
        env: TextEnum(ENVIRONMENTS),
        connected: Type.Integer(),
        in_error: Type.Integer({ description: 'Number of connections that no longer work.' }),
        tasks: Type.Integer({
          description: 'Number of collections that are pulled for the connections.',
        }),
        due: Type.Integer(),
        oldest_due_at: Nullable(DateTime),
        failing: Type.Integer({ description: 'Number of tasks whose last attempt failed.' }),
        failing_reason: Nullable(
          Type.String({ description: 'Most frequent reason of the failures.' }),
        ),
        last_success_at: Nullable(DateTime),
        budgets: Type.Array(
          Type.Object({
            per: TextEnum(['app', 'connection']),
            requests: Nullable(
              Type.Integer({
                description: 'Number of requests that are allowed within `seconds`.',
              }),
            ),
            seconds: Nullable(Type.Integer()),
            used: Type.Integer({
              description: 'Number of apps or connections that used their budget recently.',
            }),
            available: Nullable(
              Type.Integer({
                description:
                  'Number of requests that the app or connection with the smallest rest can send now.',
              }),
            ),
            capacity: Nullable(Type.Integer()),
            spent: Type.Integer({ description: 'Number of used budgets that are exhausted.' }),
            blocked_until: Nullable(DateTime),
          }),
        ),
      }),
    ),
  },
  { title: 'ProviderStatusList' },
)
export type ProviderStatusList = Type.Static<typeof ProviderStatusList>
