import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'

interface SecretDialogProps {
  title: string
  /** The secret; undefined while the dialog is closed. */
  value: string | undefined
  /** Instructions for the secret. */
  children: ReactNode
  onClose: () => void
}

/** Shows a new secret, which only this response contains. */
export function SecretDialog({ title, value, children, onClose }: SecretDialogProps): ReactNode {
  return (
    <Dialog
      title={title}
      isOpen={value !== undefined}
      onClose={onClose}
      actions={<Button onClick={onClose}>I have saved it</Button>}
    >
      <div className="settings-dialog">
        <p>{children}</p>
        <div className="settings-secret">
          <code>{value}</code>
          <CopyButton variant="subtle" value={value ?? ''} />
        </div>
        <p className="quiet">It is shown only once.</p>
      </div>
    </Dialog>
  )
}
