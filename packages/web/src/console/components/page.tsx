import { type ReactNode, useEffect } from 'react'

interface PageProps {
  title: string
  /** Of the tab of the browser, when it must not be the title: nobody's name stands there. */
  documentTitle?: string
  description?: ReactNode
  /** Where the page hangs, such as a link to its list. */
  above?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page: its heading, what can be done here, and the rest. */
export function Page({
  title,
  documentTitle = title,
  description,
  above,
  actions,
  children,
}: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${documentTitle} · Salus`
  }, [documentTitle])
  return (
    <div className="page-content">
      {above !== undefined && <div className="page-above">{above}</div>}
      <header className="page-header">
        <div>
          <h1>{title}</h1>
          {description !== undefined && <p className="page-description">{description}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

interface SectionProps {
  /** To lead to it by an address. */
  id?: string
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Section({ id, title, description, actions, children }: SectionProps): ReactNode {
  return (
    <section className="section" id={id} aria-label={title}>
      <header className="section-header">
        <div>
          <h2>{title}</h2>
          {description !== undefined && <p className="page-description">{description}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
