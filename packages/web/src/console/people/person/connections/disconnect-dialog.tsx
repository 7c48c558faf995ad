import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'

interface DisconnectDialogProps {
  userId: string
  provider: { slug: string; name: string }
  isOpen: boolean
  onClose: () => void
}

export function DisconnectDialog(props: DisconnectDialogProps): ReactNode {
  const { userId, provider, isOpen, onClose } = props
  const { key, team } = useEnvironment()
  const queries = useQueryClient()
  const ending = useMutation({
    mutationFn: () =>
      unwrapResponse(
        team.DELETE('/v2/user/{user_id}/{provider}', {
          params: { path: { user_id: userId, provider: provider.slug as never } },
        }),
      ),
    onSuccess: async () => {
      onClose()
      await queries.invalidateQueries({ queryKey: [...key, 'person', userId] })
    },
  })
  return (
    <Dialog
      title={`Disconnect ${provider.name}?`}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Keep connection
          </Button>
          <Button loading={ending.isPending} onClick={() => ending.mutate()}>
            Disconnect
          </Button>
        </>
      }
    >
      <p>
        No more data are received from {provider.name} until the person connects again. Stored data
        stay.
      </p>
      {ending.error !== null && <Failure error={ending.error} />}
    </Dialog>
  )
}
