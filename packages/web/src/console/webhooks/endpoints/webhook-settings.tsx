import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import type { Webhook } from '../webhook-queries.ts'
import { toBody, toInput, WebhookFields } from './webhook-fields.tsx'
import { WebhookHeaders } from './webhook-headers.tsx'
import { WebhookSecret } from './webhook-secret.tsx'

const ONE = '/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}' as const

/** The settings of an endpoint. */
export function WebhookSettings({ webhook }: { webhook: Webhook }): ReactNode {
  return (
    <>
      <EndpointForm webhook={webhook} />
      <Allowed to="keys:read">
        <WebhookSecret webhookId={webhook.id} />
      </Allowed>
      <Allowed to="keys:read">
        <WebhookHeaders webhookId={webhook.id} />
      </Allowed>
      <Removal webhook={webhook} />
    </>
  )
}

function EndpointForm({ webhook }: { webhook: Webhook }): ReactNode {
  const { key, path } = useEnvironment()
  const [fields, setFields] = useState(() => toInput(webhook))
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.PATCH(ONE, {
          params: { path: { ...path, webhook_id: webhook.id } },
          body: toBody(fields),
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'webhooks'] }),
  })
  const isChanged = JSON.stringify(toBody(fields)) !== JSON.stringify(toBody(toInput(webhook)))
  return (
    <Section title="Endpoint">
      <form
        className="webhooks-form"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <WebhookFields fields={fields} onChange={setFields} error={change.error} />
        {change.error !== null && <Failure error={change.error} />}
        <div className="webhooks-form-actions">
          {change.isSuccess && !isChanged && <span role="status">The settings are saved.</span>}
          <Allowed to="webhooks:write">
            <Button type="submit" loading={change.isPending} disabled={!isChanged}>
              Save settings
            </Button>
          </Allowed>
        </div>
      </form>
    </Section>
  )
}

function Removal({ webhook }: { webhook: Webhook }): ReactNode {
  const { key, path, teamId, env } = useEnvironment()
  const [isAsking, setAsking] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.DELETE(ONE, { params: { path: { ...path, webhook_id: webhook.id } } }),
      ),
    onSuccess: async () => {
      await navigate({ to: '/$team/$env/webhooks', params: { team: teamId, env } })
      queries.invalidateQueries({ queryKey: [...key, 'webhooks'] })
    },
  })
  return (
    <Section
      title="Removal"
      description="Waiting messages are cancelled. The events stay in the list of events."
    >
      <div>
        <Allowed to="webhooks:write">
          <Button variant="outline" onClick={() => setAsking(true)}>
            Remove endpoint
          </Button>
        </Allowed>
      </div>
      <Dialog
        title="Remove the endpoint?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button variant="subtle" onClick={() => setAsking(false)}>
              Keep endpoint
            </Button>
            <Button loading={removal.isPending} onClick={() => removal.mutate()}>
              Remove endpoint
            </Button>
          </>
        }
      >
        <p>
          No more messages are sent to <code>{webhook.url}</code>, and its secret is deleted. This
          cannot be undone.
        </p>
        {removal.error !== null && <Failure error={removal.error} />}
      </Dialog>
    </Section>
  )
}
