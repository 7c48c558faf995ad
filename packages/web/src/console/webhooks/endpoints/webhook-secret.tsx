import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconEye, IconRefresh } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'

const SECRET = '/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/secret' as const

/** Shows the signing secret on demand, and replaces it. */
export function WebhookSecret({ webhookId }: { webhookId: string }): ReactNode {
  const { path } = useEnvironment()
  const [isRotating, setRotating] = useState(false)
  const params = { path: { ...path, webhook_id: webhookId } }
  // Not cached with other responses: it is gone when the user leaves the page.
  const showing = useMutation({
    mutationFn: () => unwrapResponse(management.GET(SECRET, { params })),
  })
  return (
    <Section
      title="Signing secret"
      description="Verify every message with it. Anyone who has it can forge messages."
      actions={
        <Button
          variant="outline"
          leftSection={<IconRefresh size={17} aria-hidden />}
          onClick={() => setRotating(true)}
        >
          Replace secret
        </Button>
      }
    >
      {showing.data === undefined ? (
        <div>
          <Button
            variant="outline"
            leftSection={<IconEye size={17} aria-hidden />}
            loading={showing.isPending}
            onClick={() => showing.mutate()}
          >
            Show secret
          </Button>
        </div>
      ) : (
        <Secret value={showing.data.key} />
      )}
      {showing.error !== null && <Failure error={showing.error} />}
      <Dialog title="Replace secret" isOpen={isRotating} onClose={() => setRotating(false)}>
        <RotationForm webhookId={webhookId} onRotated={showing.reset} />
      </Dialog>
    </Section>
  )
}

function Secret({ value }: { value: string }): ReactNode {
  return (
    <div className="webhooks-secret">
      <code>{value}</code>
      <CopyButton variant="subtle" value={value} />
    </div>
  )
}

interface RotationFormProps {
  webhookId: string
  onRotated: () => void
}

function RotationForm({ webhookId, onRotated }: RotationFormProps): ReactNode {
  const { path } = useEnvironment()
  const [key, setKey] = useState('')
  const rotation = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST(`${SECRET}/rotate`, {
          params: { path: { ...path, webhook_id: webhookId } },
          body: { key: key || null },
        }),
      ),
    onSuccess: onRotated,
  })
  return (
    <form
      className="webhooks-form"
      onSubmit={(event) => {
        event.preventDefault()
        rotation.mutate()
      }}
    >
      <p>
        For 24 hours messages carry the signatures of both secrets, so your receiver accepts every
        message.
      </p>
      <TextInput
        label="New secret"
        description="Empty: Salus generates one. Otherwise whsec_ and base64 of 24 to 64 bytes."
        autoComplete="off"
        data-1p-ignore
        value={key}
        onChange={({ currentTarget }) => setKey(currentTarget.value.trim())}
      />
      {rotation.error !== null && <Failure error={rotation.error} />}
      {rotation.isSuccess && (
        <p role="status" className="webhooks-done">
          The secret was replaced. Show the new one, and configure it in your receiver within 24
          hours.
        </p>
      )}
      <div className="webhooks-form-actions">
        <Button type="submit" loading={rotation.isPending} disabled={rotation.isSuccess}>
          Replace secret
        </Button>
      </div>
    </form>
  )
}
