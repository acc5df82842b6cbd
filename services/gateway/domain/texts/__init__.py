"""Every sentence that the pages say of themselves, page by page: (Chinese, English)."""
