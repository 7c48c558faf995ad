/** Body of a request, in one of its forms. */
export interface Body {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as the fields of a form. */
  form?: object
  /** Sent as parts; Blobs are files. */
  multipart?: object
  /** Sent unchanged. */
  file?: Blob | Uint8Array | ReadableStream<Uint8Array>
}

/** Returns the body for fetch, and the media type where fetch does not set it. */
export function encodeBody({ body, form, multipart, file }: Body): {
  body: RequestInit['body']
  type?: string
} {
  if (file !== undefined)
    return { body: file as RequestInit['body'], type: 'application/octet-stream' }
  if (multipart !== undefined) return { body: toFormData(multipart) }
  if (form !== undefined) {
    // Encoded like a query, without its question mark.
    return { body: encodeQuery(form).slice(1), type: 'application/x-www-form-urlencoded' }
  }
  if (body === undefined) return { body: null }
  return { body: JSON.stringify(body), type: 'application/json' }
}

function toFormData(fields: object): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) {
      if (one instanceof Blob) data.append(name, one)
      else data.append(name, String(one))
    }
  }
  return data
}

/** Encodes a query: a list is one parameter for each entry; undefined values are left out. */
export function encodeQuery(query: object = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) parameters.append(name, String(one))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
