import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import type { components } from '../../../api/openapi.generated.d.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'

interface LinkDialogProps {
  userId: string
  /** The provider of the link; without it the person chooses one. */
  provider?: { slug: string; name: string }
  isOpen: boolean
  onClose: () => void
}

type Slug = NonNullable<components['schemas']['LinkTokenCreate']['provider']>

/** Creates a link with which the person connects an account. */
export function LinkDialog({ userId, provider, isOpen, onClose }: LinkDialogProps): ReactNode {
  const { team } = useEnvironment()
  const making = useMutation({
    mutationFn: () =>
      unwrapResponse(
        team.POST('/v2/link/token', {
          body: { user_id: userId, provider: (provider?.slug as Slug) ?? null },
        }),
      ),
  })
  const address = making.data?.link_web_url
  const close = (): void => {
    making.reset()
    onClose()
  }
  return (
    <Dialog
      title={provider === undefined ? 'Link to connect' : `Link to connect ${provider.name}`}
      isOpen={isOpen}
      onClose={close}
      actions={
        address === undefined ? (
          <Button loading={making.isPending} onClick={() => making.mutate()}>
            Create link
          </Button>
        ) : (
          <CopyButton value={address}>Copy link</CopyButton>
        )
      }
    >
      <div className="person-dialog">
        <p>
          {provider === undefined
            ? 'Whoever opens it chooses a provider and signs in there.'
            : `Whoever opens it signs in to ${provider.name}.`}{' '}
          The link connects one account and expires in an hour. Send it only to the person.
        </p>
        {address !== undefined && (
          <TextInput
            label="Link"
            value={address}
            readOnly
            onFocus={({ target }) => target.select()}
          />
        )}
        {making.error !== null && <Failure error={making.error} />}
      </div>
    </Dialog>
  )
}
