declare module 'html-encoding-sniffer' {
  /** The WHATWG encoding sniffing algorithm as far as it needs no statistics; the encoding's name. */
  export default function htmlEncodingSniffer(
    bytes: Uint8Array,
    options?: {
      readonly xml?: boolean;
      readonly transportLayerEncodingLabel?: string;
      readonly defaultEncoding?: string;
    },
  ): string;
}
