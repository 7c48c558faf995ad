import { ActionIcon } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useRef } from 'react'
import { useLanguage } from '../i18n/messages.ts'
import './page-frame.css'

export interface FrameTeam {
  name: string
  logoUrl: string | null
}

interface HeadProps {
  team: FrameTeam | undefined
  /** Shown beside the name, for example in a sandbox. */
  note?: string | undefined
  onClose?: (() => void) | undefined
}

function PageHead({ team, note, onClose }: HeadProps): ReactNode {
  const { t } = useLanguage()
  return (
    <div className="page-head">
      {team?.logoUrl && (
        // The name stands beside it.
        <img src={team.logoUrl} alt="" referrerPolicy="no-referrer" />
      )}
      <span className="page-head-name">{team?.name}</span>
      {note && <span className="page-note">{note}</span>}
      {onClose && (
        <ActionIcon
          variant="subtle"
          size={44}
          radius="xl"
          aria-label={t('close')}
          onClick={onClose}
        >
          <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
            <path
              d="M6 6l12 12M18 6L6 18"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
            />
          </svg>
        </ActionIcon>
      )}
    </div>
  )
}

interface FrameProps extends HeadProps {
  /** Current activity; announced when it changes. */
  status: string
  children: ReactNode
}

/**
 * The card around every page: the name of the team, a close button, and announcements to screen
 * readers.
 */
export function PageFrame(props: FrameProps): ReactNode {
  return (
    <div className="page">
      <main className="page-card">
        {(props.team !== undefined || props.onClose !== undefined) && <PageHead {...props} />}
        <div className="page-body">{props.children}</div>
        <div className="page-status" role="status">
          {props.status}
        </div>
      </main>
    </div>
  )
}

/**
 * The heading of a step. It takes the focus when the step begins, so that reading continues there.
 */
export function StepTitle({ children }: { children: string }): ReactNode {
  const heading: Ref<HTMLHeadingElement> = useRef(null)
  useEffect(() => {
    heading.current?.focus()
    document.title = children
    scrollTo(0, 0)
  }, [children])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
