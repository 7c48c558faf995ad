import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { BulkBar } from '../../components/list/bulk-bar.tsx'
import type { Selection } from '../../components/list/selection.tsx'
import { type EventSummary, webhooksQuery } from '../webhook-queries.ts'

interface ResendBarProps {
  events: readonly EventSummary[]
  selection: Selection
  /** The endpoint of the list; without it the user chooses one. */
  webhookId: string | undefined
  onDone: () => unknown
}

/** Sends the chosen events again to one endpoint. */
export function ResendBar({ events, selection, webhookId, onDone }: ResendBarProps): ReactNode {
  const environment = useEnvironment()
  const { data: webhooks = [] } = useQuery(webhooksQuery(environment))
  const [chosen, setChosen] = useState('')
  const enabled = webhooks.filter(({ disabled }) => !disabled)
  const target = webhookId ?? (chosen || enabled[0]?.id)
  return (
    <BulkBar
      selection={selection}
      noun={['event', 'events']}
      nameOf={(id) => events.find((event) => event.id === id)?.event_type ?? id}
      actions={[
        {
          title: 'Resend',
          permission: 'webhooks:write',
          isReady: target !== undefined,
          question: (
            <>
              <p>
                They are sent with the same message ids, whether or not they were delivered before.
              </p>
              {webhookId === undefined && (
                <NativeSelect
                  label="Webhook"
                  value={target ?? ''}
                  onChange={({ currentTarget }) => setChosen(currentTarget.value)}
                  data={
                    enabled.length === 0
                      ? [{ value: '', label: 'There is no enabled webhook' }]
                      : enabled.map(({ id, url }) => ({ value: id, label: url }))
                  }
                />
              )}
            </>
          ),
          run: async (ids) => {
            const path = { ...environment.path, webhook_id: target ?? '' }
            const { results } = await unwrapResponse(
              management.POST('/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/resend', {
                params: { path },
                body: { event_ids: ids },
              }),
            )
            return results
          },
        },
      ]}
      onDone={onDone}
    />
  )
}
