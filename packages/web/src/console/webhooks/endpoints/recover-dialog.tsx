import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DAY_MS } from '../../../time-units.ts'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import type { Webhook } from '../webhook-queries.ts'

interface RecoverDialogProps {
  webhook: Webhook
  isOpen: boolean
  onClose: () => void
}

/** Sends all events since a time that an endpoint subscribes to and did not receive. */
export function RecoverDialog({ webhook, isOpen, onClose }: RecoverDialogProps): ReactNode {
  return (
    <Dialog title="Recover messages" isOpen={isOpen} onClose={onClose}>
      <RecoverForm webhook={webhook} />
    </Dialog>
  )
}

/** Formats a time as a field for local times expects it. */
const toLocal = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

function RecoverForm({ webhook }: Pick<RecoverDialogProps, 'webhook'>): ReactNode {
  const { key, path } = useEnvironment()
  const [since, setSince] = useState(() => toLocal(new Date(Date.now() - DAY_MS)))
  const queries = useQueryClient()
  const recovery = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/recover', {
          params: { path: { ...path, webhook_id: webhook.id } },
          body: { since: new Date(since).toISOString() },
        }),
      ),
    onSuccess: () => {
      queries.invalidateQueries({ queryKey: [...key, 'events'] })
      queries.invalidateQueries({ queryKey: [...key, 'webhook status'] })
    },
  })
  return (
    <form
      className="webhooks-form"
      onSubmit={(event) => {
        event.preventDefault()
        recovery.mutate()
      }}
    >
      <p>
        All messages that the endpoint subscribes to and did not receive are sent in the background.
        Delivered messages are not sent again.
      </p>
      <TextInput
        type="datetime-local"
        label={`Since (${ZONE})`}
        required
        max={toLocal(new Date())}
        className="webhooks-short-field"
        value={since}
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
      {recovery.error !== null && <Failure error={recovery.error} />}
      {recovery.isSuccess && (
        <p role="status" className="webhooks-done">
          The recovery has started. Messages appear in the list as they are sent.
        </p>
      )}
      <div className="webhooks-form-actions">
        <Button type="submit" loading={recovery.isPending} disabled={since === ''}>
          Recover messages
        </Button>
      </div>
    </form>
  )
}
