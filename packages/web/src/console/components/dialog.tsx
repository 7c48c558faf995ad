import { ActionIcon } from '@mantine/core'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { IconX } from './icons.tsx'
import './dialog.css'

interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** Buttons at the end of the dialog. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/**
 * A native dialog: it keeps the focus, gives it back, and closes by Escape or a press beside it.
 * Its content is rendered only while it is open.
 */
export function Dialog({
  title,
  isOpen,
  onClose,
  actions,
  className,
  children,
}: DialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal()
    if (!isOpen) dialog.current?.close()
  }, [isOpen])
  // A dialog that is removed while it is open gives the focus back, too.
  useLayoutEffect(() => {
    const element = dialog.current
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: by keyboard Escape closes it
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={className === undefined ? 'dialog' : `dialog ${className}`}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      {isOpen && (
        <div className="dialog-inside">
          <header className="dialog-head">
            <h2 id={titleId}>{title}</h2>
            <ActionIcon variant="subtle" size={36} aria-label="Close" onClick={onClose}>
              <IconX size={18} aria-hidden />
            </ActionIcon>
          </header>
          <div className="dialog-body">{children}</div>
          {actions !== undefined && <footer className="dialog-actions">{actions}</footer>}
        </div>
      )}
    </dialog>
  )
}
