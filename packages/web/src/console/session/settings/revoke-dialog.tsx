import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'

interface RevokeDialogProps<Item> {
  /** What is to go; undefined while nothing is. */
  item: Item | undefined
  title: string
  /** What the button does, such as `Revoke`. */
  action: string
  /** What follows from it. */
  children: ReactNode
  onRevoke: (item: Item) => Promise<unknown>
  onClose: () => void
}

/** Asks before something is taken away for good. */
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
            Keep it
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
