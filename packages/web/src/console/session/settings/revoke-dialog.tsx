import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'

interface RevokeDialogProps<Item> {
  /** Item to remove; undefined while the dialog is closed. */
  item: Item | undefined
  title: string
  /** Label of the button, such as `Revoke key`. */
  action: string
  /** Consequences of the action. */
  children: ReactNode
  onRevoke: (item: Item) => Promise<unknown>
  onClose: () => void
}

/** A confirmation before something is permanently removed. */
export function RevokeDialog<Item>(props: RevokeDialogProps<Item>): ReactNode {
  const { item, title, action, children, onRevoke, onClose } = props
  const revocation = useMutation({
    mutationFn: () => (item === undefined ? Promise.resolve() : onRevoke(item)),
  })
  const close = (): void => {
    revocation.reset()
    onClose()
  }
  return (
    <Dialog
      title={title}
      isOpen={item !== undefined}
      onClose={close}
      actions={
        <>
          <Button variant="subtle" onClick={close}>
            Cancel
          </Button>
          <Button
            loading={revocation.isPending}
            onClick={() => revocation.mutate(undefined, { onSuccess: close })}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="settings-dialog">
        <p>{children}</p>
        {revocation.error !== null && <Failure error={revocation.error} />}
      </div>
    </Dialog>
  )
}
