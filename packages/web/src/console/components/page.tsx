import { type ReactNode, useEffect } from 'react'

interface PageProps {
  title: string
  /**
   * Title of the browser tab where it must differ from the heading: names of people do not belong
   * in the history of a browser.
   */
  documentTitle?: string
  description?: ReactNode
  /** Link to the parent page, such as a list. */
  above?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page: its heading, its actions and its content. */
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
  /** Fragment of addresses that link to the section. */
  id?: string
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A section of a page with a heading of its own. */
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
