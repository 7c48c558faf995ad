import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { EMPTY_WEBHOOK, toBody, WebhookFields } from './webhook-fields.tsx'

interface NewWebhookDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Adds an endpoint and opens its page. */
export function NewWebhookDialog({ isOpen, onClose }: NewWebhookDialogProps): ReactNode {
  return (
    <Dialog title="Add endpoint" isOpen={isOpen} onClose={onClose} className="webhooks-dialog">
      <NewWebhookForm onClose={onClose} />
    </Dialog>
  )
}

function NewWebhookForm({ onClose }: Pick<NewWebhookDialogProps, 'onClose'>): ReactNode {
  const { key, path, teamId, env } = useEnvironment()
  const [fields, setFields] = useState(EMPTY_WEBHOOK)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const creation = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/webhook', {
          params: { path },
          body: toBody(fields),
        }),
      ),
    onSuccess: async ({ id: webhook }) => {
      await queries.invalidateQueries({ queryKey: [...key, 'webhooks'] })
      navigate({
        to: '/$team/$env/webhooks/$webhook',
        params: { team: teamId, env, webhook },
        search: { tab: 'settings' } as never,
      })
    },
  })
  return (
    <form
      className="webhooks-form"
      onSubmit={(event) => {
        event.preventDefault()
        creation.mutate()
      }}
    >
      <WebhookFields fields={fields} onChange={setFields} error={creation.error} />
      {creation.error !== null && <Failure error={creation.error} />}
      <div className="webhooks-form-actions">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={creation.isPending} disabled={fields.url.trim() === ''}>
          Add endpoint
        </Button>
      </div>
    </form>
  )
}
