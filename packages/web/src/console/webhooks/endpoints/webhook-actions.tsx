import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { IconHistory, IconPower, IconSend } from '../../components/icons.tsx'
import { ExampleDialog } from '../event-types/example-dialog.tsx'
import type { Webhook } from '../webhook-queries.ts'
import { RecoverDialog } from './recover-dialog.tsx'

/** Actions on an endpoint as a whole. */
export function WebhookActions({ webhook }: { webhook: Webhook }): ReactNode {
  const [open, setOpen] = useState<'example' | 'recover'>()
  const close = (): void => setOpen(undefined)
  return (
    <>
      <Button
        variant="outline"
        leftSection={<IconSend size={17} aria-hidden />}
        disabled={webhook.disabled}
        onClick={() => setOpen('example')}
      >
        Send example
      </Button>
      <Button
        variant="outline"
        leftSection={<IconHistory size={17} aria-hidden />}
        disabled={webhook.disabled}
        onClick={() => setOpen('recover')}
      >
        Recover messages
      </Button>
      <PowerButton webhook={webhook} />
      <ExampleDialog webhookId={webhook.id} isOpen={open === 'example'} onClose={close} />
      <RecoverDialog webhook={webhook} isOpen={open === 'recover'} onClose={close} />
    </>
  )
}

function PowerButton({ webhook }: { webhook: Webhook }): ReactNode {
  const { key, path } = useEnvironment()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.PATCH('/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}', {
          params: { path: { ...path, webhook_id: webhook.id } },
          body: { disabled: !webhook.disabled },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [...key, 'webhooks'] }),
        queries.invalidateQueries({ queryKey: [...key, 'webhook status'] }),
      ]),
  })
  return (
    <>
      <Button
        variant={webhook.disabled ? 'filled' : 'outline'}
        leftSection={<IconPower size={17} aria-hidden />}
        loading={change.isPending}
        onClick={() => change.mutate()}
      >
        {webhook.disabled ? 'Enable endpoint' : 'Disable endpoint'}
      </Button>
      {change.error !== null && <Failure error={change.error} />}
    </>
  )
}
