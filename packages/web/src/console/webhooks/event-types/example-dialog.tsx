import { Button, NativeSelect } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { eventTypesQuery, webhooksQuery } from '../webhook-queries.ts'
import { groupEventTypes } from './event-type-groups.ts'

interface ExampleDialogProps {
  /** Endpoint of the example; without it the user chooses one. */
  webhookId?: string
  /** Type of the example; without it the user chooses one. */
  eventType?: string
  isOpen: boolean
  onClose: () => void
}

/** Sends an example of an event type to an endpoint, and links to its delivery. */
export function ExampleDialog({ isOpen, onClose, ...given }: ExampleDialogProps): ReactNode {
  return (
    <Dialog title="Send example" isOpen={isOpen} onClose={onClose}>
      <ExampleForm {...given} />
    </Dialog>
  )
}

const USUAL = 'daily.data.heartrate.created'

function ExampleForm(given: Pick<ExampleDialogProps, 'webhookId' | 'eventType'>): ReactNode {
  const environment = useEnvironment()
  const { key, path } = environment
  const { data: types = [] } = useQuery(eventTypesQuery(environment))
  const { data: webhooks = [] } = useQuery(webhooksQuery(environment))
  const enabled = webhooks.filter(({ disabled }) => !disabled)
  const [type, setType] = useState(given.eventType ?? USUAL)
  const [chosen, setChosen] = useState<string>()
  const webhookId = given.webhookId ?? chosen ?? enabled[0]?.id
  const queries = useQueryClient()
  const sending = useMutation({
    mutationFn: (webhook_id: string) =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/send_example', {
          params: { path: { ...path, webhook_id } },
          body: { event_type: type },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'events'] }),
  })
  return (
    <form
      className="webhooks-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (webhookId !== undefined) sending.mutate(webhookId)
      }}
    >
      <p>
        The message has made-up data and is signed like every other. It is sent whatever the
        endpoint subscribes to.
      </p>
      {given.webhookId === undefined && (
        <NativeSelect
          label="Endpoint"
          value={webhookId}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={enabled.map(({ id, url }) => ({ value: id, label: url }))}
        />
      )}
      <NativeSelect
        label="Event type"
        value={type}
        onChange={({ currentTarget }) => setType(currentTarget.value)}
        data={groupEventTypes(types).map(({ title, types: ofGroup }) => ({
          group: title,
          items: ofGroup.map(({ name }) => name),
        }))}
      />
      {sending.error !== null && <Failure error={sending.error} />}
      {sending.data !== undefined && <Sent eventId={sending.data.event_id} />}
      <div className="webhooks-form-actions">
        <Button type="submit" loading={sending.isPending} disabled={webhookId === undefined}>
          {sending.data === undefined ? 'Send example' : 'Send another example'}
        </Button>
      </div>
    </form>
  )
}

function Sent({ eventId }: { eventId: string }): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <p role="status" className="webhooks-done">
      The example was sent.{' '}
      <Link to="/$team/$env/events/$event" params={{ team: teamId, env, event: eventId }}>
        See delivery
      </Link>
      .
    </p>
  )
}
