/** A name or address of the machine itself. @param name as a URL has it: an IPv6 address in brackets */
export function isLoopbackName(name: string): boolean {
  return isLocalhost(name) || /^127\./.test(name) || name === '[::1]';
}

/** A name that always means the machine itself (RFC 6761 section 6.3). @param name in lower case, without a root dot */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The addresses of such names, in the order of the attempts: a server may listen on one of them only. */
export const LOCALHOST_ADDRESSES: readonly string[] = ['127.0.0.1', '::1'];
