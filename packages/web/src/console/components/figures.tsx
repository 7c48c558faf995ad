import type { ReactNode } from 'react'
import './figures.css'

/** Figures beside each other, each with a title. */
export function Figures({ children }: { children: ReactNode }): ReactNode {
  return <dl className="figures">{children}</dl>
}

interface FigureProps {
  title: string
  /** Explanation below the figure. */
  quiet?: ReactNode
  children: ReactNode
}

export function Figure({ title, quiet, children }: FigureProps): ReactNode {
  return (
    <div className="figure">
      <dt>{title}</dt>
      <dd>
        <span className="figure-value">{children}</span>
        {quiet !== undefined && <span className="quiet">{quiet}</span>}
      </dd>
    </div>
  )
}
