/** Version of the service, as answers and documents name it. */
export const VERSION = '0.1.0'
