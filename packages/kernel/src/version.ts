/** Version of the service in answers and documents. */
export const VERSION = '0.1.0'
